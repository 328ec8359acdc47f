package search

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
)

// Items are numbered. The index stores and combines sets of items in blocks of 16,384: with one bit an item, or as a list when the
// block has few items. A block is small enough that every change rewrites it whole.
const (
	blockBits = 14
	blockSize = 1 << blockBits
	blockFull = blockSize / 8 // bytes of one with a bit for each item
)

// BlockOf is the block that a number is in.
func BlockOf(number int64) int64 { return number >> blockBits }

// Set of numbers.
type Set map[int64]*block

type block [blockSize / 64]uint64

// Add puts a number in.
func (s Set) Add(number int64) {
	b := s[BlockOf(number)]
	if b == nil {
		b = new(block)
		s[BlockOf(number)] = b
	}
	at := number & (blockSize - 1)
	b[at/64] |= 1 << (at % 64)
}

// Remove takes a number out.
func (s Set) Remove(number int64) {
	if b := s[BlockOf(number)]; b != nil {
		at := number & (blockSize - 1)
		b[at/64] &^= 1 << (at % 64)
	}
}

// Encode gives a block as it is kept; nothing where it is empty.
func (s Set) Encode(at int64) []byte {
	b := s[at]
	if b == nil {
		return nil
	}
	n := b.count()
	if 2*n < blockFull {
		list := make([]byte, 0, 2*n)
		b.each(func(i int) { list = binary.BigEndian.AppendUint16(list, uint16(i)) })
		return list
	}
	full := make([]byte, 0, blockFull)
	for _, word := range b {
		full = binary.BigEndian.AppendUint64(full, word)
	}
	return full
}

// Decode joins a block that was kept to the set.
func (s Set) Decode(at int64, data []byte) {
	b := s[at]
	if b == nil {
		b = new(block)
		s[at] = b
	}
	if len(data) == blockFull {
		for i := range b {
			b[i] |= binary.BigEndian.Uint64(data[8*i:])
		}
		return
	}
	for ; len(data) >= 2; data = data[2:] {
		i := binary.BigEndian.Uint16(data) % blockSize
		b[i/64] |= 1 << (i % 64)
	}
}

// Blocks that hold something, in order.
func (s Set) Blocks() []int64 {
	var all []int64
	for at, b := range s {
		if *b != (block{}) {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return all
}

// and is what both have.
func (s Set) and(other Set) Set {
	both := Set{}
	for at, b := range s {
		if o := other[at]; o != nil {
			joined := new(block)
			for i := range b {
				joined[i] = b[i] & o[i]
			}
			both[at] = joined
		}
	}
	return both
}

// or is what either has.
func (s Set) or(other Set) Set {
	either := Set{}
	for at, b := range s {
		either[at] = new(*b)
	}
	either.join(other)
	return either
}

// join adds the other's.
func (s Set) join(other Set) {
	for at, o := range other {
		b := s[at]
		if b == nil {
			s[at] = new(*o)
			continue
		}
		for i := range b {
			b[i] |= o[i]
		}
	}
}

// without is what the other does not have.
func (s Set) without(other Set) Set {
	rest := Set{}
	for at, b := range s {
		left := new(*b)
		if o := other[at]; o != nil {
			for i := range left {
				left[i] &^= o[i]
			}
		}
		rest[at] = left
	}
	return rest
}

func (s Set) count() (n int) {
	for _, b := range s {
		n += b.count()
	}
	return n
}

// below are at most most numbers below a bound, the highest first.
func (s Set) below(bound int64, most int) (numbers []int64) {
	blocks := slices.Sorted(maps.Keys(s))
	for _, at := range slices.Backward(blocks) {
		b := s[at]
		for i := len(b) - 1; i >= 0; i-- {
			for word := b[i]; word != 0; {
				bit := bits.Len64(word) - 1
				word &^= 1 << bit
				number := at<<blockBits | int64(i*64+bit)
				if number >= bound {
					continue
				}
				if len(numbers) == most {
					return numbers
				}
				numbers = append(numbers, number)
			}
		}
	}
	return numbers
}

func (b *block) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

func (b *block) each(do func(i int)) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			do(i*64 + bits.TrailingZeros64(word))
		}
	}
}
