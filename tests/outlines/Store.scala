package shop

import scala.util.Try

case class Row(id: Int, name: String)

class Store(path: String) extends Base(path) {
  private val rows = List.empty[Row]

  def flush(deep: Boolean): Int = {
    val total = 1
    total
  }

  override def close(): Unit = ()
}

object Store {
  def open(path: String): Store = new Store(path)
}

trait Sink {
  def write(text: String): Unit
}
