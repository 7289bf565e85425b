package org.shop;

import java.util.List;
import static java.util.Map.entry;

/** Keeps rows. */
@Entity
@Table(name = "store")
public class Store extends Base implements Closeable {
    private static final int LIMIT = 10;
    private List<Row> rows, old;

    public Store(String path) {
        this.path = path;
    }

    @Override
    public void close() throws IOException {
        int total = 1;
        rows.clear();
    }

    public <T> T map(
        Function<Row, T> f
    ) {
        return f.apply(null);
    }

    enum Mode {
        FAST(1),
        SLOW(2);

        private final int speed;

        Mode(int speed) {
            this.speed = speed;
        }
    }

    interface Sink {
        void write(String text);
    }
}
