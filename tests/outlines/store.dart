import 'dart:io';

const limit = 10;

/// Keeps rows.
class Store extends Base {
  final List<Row> rows = [];

  Store(this.path);

  Store.empty() : path = '';

  int get size => rows.length;

  @override
  Future<void> flush(bool deep) async {
    final total = 1;
    print(total);
  }
}

enum Mode { fast, slow }

void main() {
  group('store', () {
    test('opens', () {
      expect(1, 1);
    });
  });
}
