#include <vector>

namespace shop {

template <typename T>
class Store : public Base {
public:
    Store();
    ~Store() = default;
    int flush(bool deep) const;
    int size() const { return 1; }

private:
    std::vector<T> rows;
};

int helper(int x) {
    return x;
}

}  // namespace shop

void Store::open(int x) {
    x = 1;
}

TEST(Store, Opens) {
    EXPECT_EQ(1, 1);
}

TEST_CASE("closes", "[store]") {
    REQUIRE(true);
}
