package mp3

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// blockSamples is how much is handed to the encoder in one call.
const blockSamples = 8192

// Encoder encodes one stream after the other. It is for one goroutine at a time.
type Encoder struct {
	config Config
	module api.Module
	stream uint32 // the module's handle, 0 for none
	fn     map[string]api.Function
}

// NewEncoder starts an encoder. The caller closes it.
func (c *Codec) NewEncoder(ctx context.Context, config Config) (*Encoder, error) {
	if !config.valid() {
		return nil, fmt.Errorf("%w: %+v", ErrConfig, config)
	}
	module, err := c.module.Instantiate(ctx, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("start MP3 encoder: %w", err)
	}
	e := &Encoder{config: config, module: module, fn: map[string]api.Function{}}
	for _, name := range []string{"malloc", "free", "enc_init", "enc_free", "enc_get_pcm", "enc_get_out_buf", "enc_encode", "enc_flush"} {
		if e.fn[name] = module.ExportedFunction(name); e.fn[name] == nil {
			_ = e.Close(ctx)
			return nil, fmt.Errorf("MP3 encoder lacks %s", name)
		}
	}
	if err := e.begin(ctx); err != nil {
		_ = e.Close(ctx)
		return nil, err
	}
	return e, nil
}

// Stream encodes one whole stream, one slice a channel.
func (c *Codec) Stream(ctx context.Context, config Config, channels ...[]float32) ([]byte, error) {
	e, err := c.NewEncoder(ctx, config)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	data, err := e.Encode(ctx, channels...)
	if err != nil {
		return nil, err
	}
	last, err := e.Flush(ctx)
	return append(data, last...), err
}

// begin opens a stream in the module.
func (e *Encoder) begin(ctx context.Context) error {
	const noVBR = -1
	words := []uint32{
		uint32(e.config.Channels), uint32(e.config.Rate),
		uint32(e.config.BitrateKbps), math.Float32bits(noVBR), uint32(e.config.Rate),
	}
	block, err := e.call(ctx, "malloc", uint64(4*len(words)))
	if err != nil {
		return fmt.Errorf("start MP3 stream: %w", err)
	}
	if block == 0 {
		return errors.New("start MP3 stream: no memory")
	}
	for i, w := range words {
		e.module.Memory().WriteUint32Le(block+uint32(4*i), w)
	}
	if e.stream, err = e.call(ctx, "enc_init", uint64(block)); err != nil {
		return fmt.Errorf("start MP3 stream: %w", err)
	}
	if e.stream == 0 {
		return fmt.Errorf("%w: %+v", ErrConfig, e.config)
	}
	_, err = e.call(ctx, "free", uint64(block))
	return err
}

// Encode takes the next samples, one slice a channel and all of one length, in the range
// -1…1, and gives the frames that are complete by now.
func (e *Encoder) Encode(ctx context.Context, channels ...[]float32) ([]byte, error) {
	if len(channels) != e.config.Channels {
		return nil, fmt.Errorf("%w: %d channels handed in", ErrConfig, len(channels))
	}
	for _, other := range channels[1:] {
		if len(other) != len(channels[0]) {
			return nil, fmt.Errorf("%w: channels of different lengths handed in", ErrConfig)
		}
	}
	var out []byte
	for at := 0; at < len(channels[0]); at += blockSamples {
		n := min(blockSamples, len(channels[0])-at)
		if err := e.fill(ctx, channels, at, n); err != nil {
			return nil, err
		}
		got, err := e.take(ctx, out, "enc_encode", uint64(n))
		if err != nil {
			return nil, err
		}
		out = got
	}
	return out, nil
}

// fill copies a block into the module's buffers.
func (e *Encoder) fill(ctx context.Context, channels [][]float32, at, n int) error {
	table, err := e.call(ctx, "enc_get_pcm", uint64(e.stream), uint64(n))
	if err != nil {
		return err
	}
	memory := e.module.Memory()
	for i, samples := range channels {
		buffer, _ := memory.ReadUint32Le(table + uint32(4*i))
		dst, ok := memory.Read(buffer, uint32(4*n))
		if table == 0 || !ok {
			return fmt.Errorf("MP3 encoder has no room for %d samples", n)
		}
		for j, s := range samples[at : at+n] {
			bits := math.Float32bits(s)
			d := dst[4*j : 4*j+4 : 4*j+4]
			d[0], d[1], d[2], d[3] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
		}
	}
	return nil
}

// take calls fn on the stream and appends what it has written.
func (e *Encoder) take(ctx context.Context, out []byte, fn string, args ...uint64) ([]byte, error) {
	n, err := e.call(ctx, fn, append([]uint64{uint64(e.stream)}, args...)...)
	if err != nil {
		return nil, err
	}
	if int32(n) < 0 {
		return nil, fmt.Errorf("MP3 encoder: %s failed with %d", fn, int32(n))
	}
	buffer, err := e.call(ctx, "enc_get_out_buf", uint64(e.stream))
	if err != nil {
		return nil, err
	}
	bytes, ok := e.module.Memory().Read(buffer, n)
	if !ok {
		return nil, fmt.Errorf("MP3 encoder: %s points outside its memory", fn)
	}
	return append(out, bytes...), nil
}

// Flush ends the stream, giving its last frames, and begins the next one.
func (e *Encoder) Flush(ctx context.Context) ([]byte, error) {
	out, err := e.take(ctx, nil, "enc_flush")
	if err != nil {
		return nil, err
	}
	if _, err := e.call(ctx, "enc_free", uint64(e.stream)); err != nil {
		return nil, err
	}
	return out, e.begin(ctx)
}

// Close frees the encoder.
func (e *Encoder) Close(ctx context.Context) error { return e.module.Close(ctx) }

func (e *Encoder) call(ctx context.Context, fn string, args ...uint64) (uint32, error) {
	res, err := e.fn[fn].Call(ctx, args...)
	if err != nil {
		return 0, fmt.Errorf("MP3 encoder: %s: %w", fn, err)
	}
	if len(res) == 0 {
		return 0, nil
	}
	return uint32(res[0]), nil
}
