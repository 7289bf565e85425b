package store

import (
	"fmt"
	"os"
)

// Limit is the most.
const Limit = 10

const (
	Fast = iota
	Slow
)

var (
	rows  []Row
	count = 1
)

// Store keeps rows.
type Store struct {
	path string
	Rows []Row `json:"rows"`
}

type Reader interface {
	Read(p []byte) (int, error)
}

func New(path string) *Store {
	return &Store{
		path: path,
	}
}

func (s *Store) Flush(
	deep bool,
) error {
	fmt.Println(s.path)
	return nil
}

func init() {
}
