package shop

class Store {
    int limit = 10

    def flush(boolean deep) {
        def total = 1
        return total
    }
}

def open(String path) {
    return new Store()
}
