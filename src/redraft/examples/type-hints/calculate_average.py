def calculate_average(numbers):
    """The arithmetic mean of the numbers; 0 for none."""
    if not numbers:
        return 0
    total = 0
    for number in numbers:
        total += number
    return total / len(numbers)


def print_average(label, numbers):
    average = calculate_average(numbers)
    print(f"{label}: {average:.2f}")


if __name__ == "__main__":
    print_average("grades", [1.3, 2.0, 1.7, 3.3])
