package org.shop

import java.io.File

const val LIMIT = 10

@Serializable
data class Row(val id: Int, val name: String)

class Store(private val path: String) : Base(path) {
    private val rows = mutableListOf<Row>()

    init {
        load()
    }

    override fun flush(deep: Boolean): Int {
        val total = 1
        return total
    }

    companion object {
        fun open(path: String): Store {
            return Store(path)
        }
    }
}

enum class Mode {
    FAST,
    SLOW,
}

interface Sink {
    fun write(text: String)
}

object Registry {
    val stores = listOf<Store>()
}

fun String.shout() = uppercase()
