package sanitise

// numbers are read from bytes, the highest first. Past their end each is 0, and cut is true.
type numbers struct {
	left []byte
	cut  bool
}

func (r *numbers) next(width int) uint64 {
	if width > len(r.left) {
		r.left, r.cut = nil, true
		return 0
	}
	n := uint64(0)
	for _, b := range r.left[:width] {
		n = n<<8 | uint64(b)
	}
	r.left = r.left[width:]
	return n
}

// readPlaces reads where the bytes of items are (ISO/IEC 14496-12, 8.11.3), but of those that tell something. Inside is where
// the box begins that holds some of them, 0 for none.
func readPlaces(content []byte, of box, inside int, telling map[uint64]bool) ([]span, error) {
	r := numbers{content[of.start:of.end], false}
	version := r.next(4) >> 24
	sizes := r.next(2)
	offset, length, base, index := int(sizes>>12), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	wide := 2
	if version == 2 {
		wide = 4
	}
	if version == 0 {
		index = 0
	}
	var kept []span
	for range r.next(wide) {
		id, from := r.next(wide), uint64(0)
		if version > 0 {
			from = r.next(2) & 15
		}
		r.next(2) // the data reference: this file
		begin := r.next(base)
		if from == 1 {
			begin += uint64(inside)
		}
		for range r.next(2) {
			r.next(index)
			start, size := begin+r.next(offset), r.next(length)
			if r.cut || from > 1 || size == 0 || start > uint64(len(content)) || size > uint64(len(content))-start {
				return nil, broken("a place that is none", of.start)
			}
			if !telling[id] {
				kept = append(kept, span{int(start), int(start + size)})
			}
		}
		if r.cut {
			break
		}
	}
	if r.cut || len(kept) == 0 {
		return nil, broken("no places of pixels", of.start)
	}
	return kept, nil
}
