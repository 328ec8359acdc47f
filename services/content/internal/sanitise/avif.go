package sanitise

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// box of ISO/IEC 14496-12: its kind, and where what it holds begins and ends.
type box struct {
	kind       string
	start, end int
}

// span of bytes.
type span struct{ start, end int }

// avifFile keeps the file's layout, since places in it are named by their numbers, and writes zeros over everything but the
// pixels: items of EXIF and XMP, free room, private boxes. Moving pictures are refused.
func avifFile(content []byte) ([]byte, error) {
	made := bytes.Clone(content)
	boxes, err := boxesIn(content, 0, len(content))
	if err != nil {
		return nil, err
	}
	var pixels []box // boxes that hold the bytes of items
	var kept []span
	for _, b := range boxes {
		switch b.kind {
		case "ftyp":
		case "mdat":
			pixels = append(pixels, b)
		case "free", "skip", "uuid":
			clear(made[b.start:b.end])
		case "meta":
			m, err := readMeta(content, b)
			if err != nil {
				return nil, err
			}
			for _, other := range m.told {
				clear(made[other.start:other.end])
			}
			kept, pixels = append(kept, m.kept...), append(pixels, m.data...)
		default:
			return nil, broken("a box "+b.kind, b.start)
		}
	}
	if len(kept) == 0 {
		return nil, broken("no pixels", 0)
	}
	kept = merged(kept)
	for _, b := range pixels {
		clearBut(made, b, kept)
	}
	return made, nil
}

// merged are spans in their order, without overlaps.
func merged(spans []span) (apart []span) {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	for _, s := range spans {
		if last := len(apart) - 1; last >= 0 && s.start <= apart[last].end {
			apart[last].end = max(apart[last].end, s.end)
			continue
		}
		apart = append(apart, s)
	}
	return apart
}

// clearBut writes zeros over what a box holds, but for the spans, which are merged.
func clearBut(made []byte, b box, kept []span) {
	first, _ := slices.BinarySearchFunc(kept, b.start, func(k span, at int) int { return k.end - at })
	at := b.start
	for _, k := range kept[first:] {
		if k.start >= b.end {
			break
		}
		clear(made[at:max(at, k.start)])
		at = min(max(at, k.end), b.end)
	}
	clear(made[at:b.end])
}

// boxesIn reads the boxes that stand there one after the other.
func boxesIn(content []byte, at, end int) ([]box, error) {
	var boxes []box
	for at < end {
		if at+8 > end {
			return nil, broken("no box", at)
		}
		size, head := uint64(binary.BigEndian.Uint32(content[at:])), 8
		switch {
		case size == 1 && at+16 <= end:
			size, head = binary.BigEndian.Uint64(content[at+8:]), 16
		case size == 0: // to the end
			size = uint64(end - at)
		}
		if size < uint64(head) || size > uint64(end-at) {
			return nil, broken("a box that is cut", at)
		}
		boxes = append(boxes, box{string(content[at+4 : at+8]), at + head, at + int(size)})
		at += int(size)
	}
	return boxes, nil
}

// meta is what an AVIF's box of that name says.
type meta struct {
	kept []span // bytes of items that are pixels
	data []box  // boxes within it that hold bytes of items
	told []box  // boxes within it that tell something
}

func readMeta(content []byte, of box) (m meta, err error) {
	boxes, err := boxesIn(content, min(of.start+4, of.end), of.end)
	if err != nil {
		return m, err
	}
	telling, places, inside := map[uint64]bool{}, box{}, 0
	for _, b := range boxes {
		switch b.kind {
		case "iinf":
			names, err := readItems(content, b, telling)
			if err != nil {
				return m, err
			}
			m.told = append(m.told, names...)
		case "iloc":
			places = b
		case "idat":
			inside, m.data = b.start, append(m.data, b)
		case "hdlr":
			m.told = append(m.told, box{start: min(b.start+handlerName, b.end), end: b.end})
		case "iprp":
			told, err := readProperties(content, b)
			if err != nil {
				return m, err
			}
			m.told = append(m.told, told...)
		case "pitm", "iref", "dinf", "grpl":
		default:
			m.told = append(m.told, b)
		}
	}
	m.kept, err = readPlaces(content, places, inside, telling)
	return m, err
}

// handlerName is where the name stands in a box hdlr, behind its version, its kind and what is reserved.
const handlerName = 24

// shown are the properties that a picture is shown by. Others tell names, times and descriptions, or are not known.
var shown = strings.Fields("ispe pixi av1C colr pasp clap irot imir auxC a1op a1lx lsel clli mdcv cclv amve reve ndwt")

// readProperties finds the properties that tell something. They keep their place, since items name them by their numbers.
func readProperties(content []byte, of box) (told []box, err error) {
	boxes, err := boxesIn(content, of.start, of.end)
	if err != nil {
		return nil, err
	}
	for _, b := range boxes {
		switch b.kind {
		case "ipma":
		case "ipco":
			properties, err := boxesIn(content, b.start, b.end)
			if err != nil {
				return nil, err
			}
			for _, p := range properties {
				if !slices.Contains(shown, p.kind) {
					told = append(told, p)
				}
			}
		default:
			told = append(told, b)
		}
	}
	return told, nil
}

// readItems finds the items that tell something, EXIF, XMP (which is of kind mime) and addresses, and the names of all.
func readItems(content []byte, of box, telling map[uint64]bool) (names []box, err error) {
	r := numbers{content[of.start:of.end], false}
	count := 2
	if r.next(4)>>24 > 0 {
		count = 4
	}
	r.next(count)
	items, err := boxesIn(content, of.end-len(r.left), of.end)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		r := numbers{content[item.start:item.end], false}
		version, width := r.next(4)>>24, 2
		if version == 3 {
			width = 4
		}
		id := r.next(width)
		r.next(2) // the protection index
		if version < 2 {
			return nil, broken("an item of no kind", item.start)
		}
		if kind := r.next(4); kind == kindExif || kind == kindMime || kind == kindURI {
			telling[id] = true
		}
		if r.cut {
			return nil, broken("an item that is cut", item.start)
		}
		names = append(names, box{start: item.end - len(r.left), end: item.end})
	}
	return names, nil
}

// Kinds of items, four letters as a number: Exif, mime and "uri ".
const kindExif, kindMime, kindURI = 0x45786966, 0x6d696d65, 0x75726920
