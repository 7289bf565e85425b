const std = @import("std");

const limit: usize = 10;

pub const Store = struct {
    rows: []const u8,
    path: []const u8 = "",

    pub fn flush(self: *Store, deep: bool) !void {
        const total = 1;
        _ = total;
    }
};

test "opens" {
    try std.testing.expect(true);
}
