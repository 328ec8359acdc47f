package page

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"math"
	"sync"
)

// packing is a document as gzip (RFC 1952) whose boot block can be any: what stands before and after it is compressed
// once for all readers, each by itself, and the block itself, which is its reader's, is put in between as it is. So nobody's
// data is compressed together with anything, from whose length it could be guessed, and a page costs no compression.
type packing struct {
	once       sync.Once
	head, tail []byte
	headSum    uint32
}

// gzipHeader: compressed by deflate, no name, no time, made anywhere.
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// stored begins a block of deflate that is not compressed, and is not the last one (RFC 1951, 3.2.4).
const stored = 0

// appendTo appends the document with a boot block.
func (p *packing) appendTo(out []byte, d *document, boot []byte) []byte {
	p.once.Do(func() { p.pack(d) })
	out = append(out, p.head...)
	for rest := boot; len(rest) > 0; {
		piece := rest[:min(len(rest), math.MaxUint16)]
		size := uint16(len(piece))
		out = append(out, stored)
		out = binary.LittleEndian.AppendUint16(out, size)
		out = binary.LittleEndian.AppendUint16(out, ^size)
		out, rest = append(out, piece...), rest[len(piece):]
	}
	out = append(out, p.tail...)
	sum := crc32.Update(crc32.Update(p.headSum, crc32.IEEETable, boot), crc32.IEEETable, d.after)
	out = binary.LittleEndian.AppendUint32(out, sum)
	return binary.LittleEndian.AppendUint32(out, uint32(len(d.before)+len(boot)+len(d.after))) // modulo 2^32, as the format has it
}

func (p *packing) pack(d *document) {
	var head, tail bytes.Buffer
	head.Write(gzipHeader)
	z := newDeflate(&head)
	_, _ = z.Write(d.before) // into memory
	_ = z.Flush()            // to a whole byte, where a stored block may begin
	p.head, p.headSum = head.Bytes(), crc32.ChecksumIEEE(d.before)
	z = newDeflate(&tail)
	_, _ = z.Write(d.after)
	_ = z.Close()
	p.tail = tail.Bytes()
}

func newDeflate(into *bytes.Buffer) *flate.Writer {
	z, err := flate.NewWriter(into, flate.BestCompression)
	if err != nil {
		panic(err) // the level is one of the package's own
	}
	return z
}
