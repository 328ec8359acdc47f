// Package mp3 encodes sound as MP3 with LAME, run as WebAssembly in this process. It knows
// nothing of what the sound is, and it does not decode.
package mp3

import (
	"github.com/tetratelabs/wazero"
)

// Codec is the compiled encoder, from which any number of streams can be encoded at once.
type Codec struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}
