package sanitise

import "bytes"

// Rates of MPEG layer III in kbit/s by a header's four bits (ISO/IEC 11172-3 and 13818-3); 0 is what has no name.
var (
	mp3Rates1 = [16]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}
	mp3Rates2 = [16]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0}
	mp3Hertz  = [4]int{44_100, 48_000, 32_000, 0}
)

// mp3Head is how long the header of a frame is.
const mp3Head = 4

// mp3Frame is how long the frame is that stands there with its header; 0 for none.
func mp3Frame(content []byte, at int) int {
	if at+mp3Head > len(content) || content[at] != 0xff || content[at+1]&0xe6 != 0xe2 {
		return 0 // neither the eleven bits of a frame nor layer III
	}
	version := content[at+1] >> 3 & 3
	kilobits, hertz, samples := mp3Rates2[content[at+2]>>4], mp3Hertz[content[at+2]>>2&3], 576
	switch version {
	case 3: // MPEG 1
		kilobits, samples = mp3Rates1[content[at+2]>>4], 1152
	case 2: // MPEG 2
		hertz /= 2
	case 0: // MPEG 2.5
		hertz /= 4
	default:
		return 0
	}
	if kilobits == 0 || hertz == 0 {
		return 0
	}
	size := samples/8*kilobits*1000/hertz + int(content[at+2]>>1&1)
	if at+size > len(content) {
		return 0
	}
	return size
}

// mp3File keeps the frames of sound, and so leaves out tags of every kind before, between and behind them.
func mp3File(content []byte) ([]byte, error) {
	made, kind, at := []byte(nil), byte(0), mp3Start(content)
	for at < len(content) {
		size := mp3Frame(content, at)
		if size == 0 || kind != 0 && content[at+1]&^1 != kind {
			if at = mp3Next(content, at+1, kind); at < 0 {
				break
			}
			continue
		}
		kind = content[at+1] &^ 1 // version and layer; the last bit says whether there is a checksum
		made = append(made, content[at:at+size]...)
		at += size
	}
	if len(made) == 0 {
		return nil, broken("no sound", 0)
	}
	return made, nil
}

// mp3Start is where the sound may begin: behind the tags that stand first (ID3v2, whose length has seven bits a byte).
func mp3Start(content []byte) int {
	at := 0
	for bytes.HasPrefix(content[at:], []byte("ID3")) && at+10 <= len(content) {
		size, tag := 0, content[at:at+10]
		for _, b := range tag[6:] {
			size = size<<7 | int(b&0x7f)
		}
		if tag[5]&0x10 != 0 {
			size += 10 // a footer
		}
		at = min(at+10+size, len(content))
	}
	if mp3Frame(content, at) > 0 {
		return at
	}
	if at = mp3Next(content, at, 0); at < 0 {
		return len(content)
	}
	return at
}

// mp3Next is where the next frame begins that another one follows, so that bytes of a tag's picture are taken for none; -1 for nowhere.
func mp3Next(content []byte, at int, kind byte) int {
	for ; at+mp3Head <= len(content); at++ {
		size := mp3Frame(content, at)
		if size == 0 || kind != 0 && content[at+1]&^1 != kind {
			continue
		}
		if next := at + size; mp3Frame(content, next) > 0 && content[next+1]&^1 == content[at+1]&^1 {
			return at
		}
	}
	return -1
}
