using System;
using static System.Math;

namespace Shop
{
    /// <summary>Keeps rows.</summary>
    [Serializable]
    public class Store : Base
    {
        private readonly List<Row> _rows = new();

        public int Size { get; set; }

        public Store(string path)
            : base(path)
        {
        }

        public async Task<int> Flush(bool deep)
        {
            var total = 1;
            return total;
        }

        public string this[int i] => _rows[i];
    }

    public enum Mode
    {
        Fast,
        Slow = 2,
    }

    public record Row(int Id, string Name);
}
