package wasm

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// region is an instance's memory: address space reserved for the whole limit, of which the
// operating system backs only the pages that are touched. Growing never copies, and freeing
// returns the pages at once, so that many short-lived instances leave nothing for the
// garbage collector.
type region []byte

// reserve fails by a panic, as an allocation of Go's own does.
func reserve(_, limit uint64) experimental.LinearMemory {
	mem, err := syscall.Mmap(-1, 0, int(limit), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		panic("wasm: no address space for an instance: " + err.Error())
	}
	r := region(mem)
	return &r
}

// Reallocate gives the first size bytes, or nil where the limit is passed.
func (r *region) Reallocate(size uint64) []byte {
	if size > uint64(len(*r)) {
		return nil
	}
	return (*r)[:size:size]
}

// Free gives the memory back.
func (r *region) Free() {
	if *r != nil {
		_ = syscall.Munmap(*r)
		*r = nil
	}
}
