// Package wasm runs WebAssembly modules in this process with wazero: compiled once, kept on
// disk as machine code, instantiated as often as wanted. It decides nothing about what a
// module does or may reach.
//
// A call is not ended by its context: code that checks for that runs up to six times slower.
// A module must end by itself.
package wasm

import (
	"context"
	"fmt"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// pageSize is WebAssembly's unit of memory in bytes.
const pageSize = 64 << 10

// Options of a module.
type Options struct {
	// CacheDir keeps compiled machine code between starts; empty keeps none.
	CacheDir string
	// MaxMemory is the most memory one instance may have, in bytes.
	MaxMemory uint64
	// Host adds the module's own imports, if it has any beyond WASI.
	Host func(context.Context, wazero.Runtime) error
}

// Module is compiled code. It is safe for concurrent use.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	cache    io.Closer
}

// Compile makes code runnable, from the cache if it was compiled before. The module does not
// refer to code afterwards, so the caller can let it go.
func Compile(ctx context.Context, code []byte, o Options) (*Module, error) {
	config := wazero.NewRuntimeConfig().
		WithDebugInfoEnabled(false).
		WithMemoryLimitPages(uint32(min(o.MaxMemory/pageSize, 65536)))
	m := &Module{}
	if o.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(o.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("open compilation cache: %w", err)
		}
		// The cache is not closed with the runtime by wazero itself.
		config = config.WithCompilationCache(cache)
		m.cache = closer(func() error { return cache.Close(context.Background()) })
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := m.load(ctx, code, o.Host); err != nil {
		_ = m.Close(ctx)
		return nil, err
	}
	return m, nil
}

func (m *Module) load(ctx context.Context, code []byte, host func(context.Context, wazero.Runtime) error) (err error) {
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return fmt.Errorf("offer WASI: %w", err)
	}
	if host != nil {
		if err = host(ctx, m.runtime); err != nil {
			return fmt.Errorf("offer imports: %w", err)
		}
	}
	if m.compiled, err = m.runtime.CompileModule(ctx, code); err != nil {
		return fmt.Errorf("compile module: %w", err)
	}
	return nil
}

// Instantiate starts a fresh instance. The caller closes it, which gives its memory back to
// the operating system at once.
func (m *Module) Instantiate(ctx context.Context, config wazero.ModuleConfig) (api.Module, error) {
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(reserve))
	// An empty name lets any number of instances live side by side.
	return m.runtime.InstantiateModule(ctx, m.compiled, config.WithName(""))
}

// Close ends all instances and frees the code.
func (m *Module) Close(ctx context.Context) error {
	err := m.runtime.Close(ctx)
	if m.cache != nil {
		if cerr := m.cache.Close(); err == nil {
			err = cerr
		}
	}
	return err
}

type closer func() error

func (c closer) Close() error { return c() }
