import Foundation

/// Keeps rows.
public final class Store: Base {
    private var rows: [Row] = []

    var size: Int {
        rows.count
    }

    init(path: String) {
        super.init(path)
    }

    func flush(deep: Bool) -> Int {
        let total = 1
        return total
    }
}

extension Store: Closeable {
    func close() {
        rows.removeAll()
    }
}

enum Mode {
    case fast
    case slow(Int)
}

protocol Sink {
    func write(_ text: String)
}

struct Row {
    let id: Int
}
