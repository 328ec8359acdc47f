package cached

import "context"

// Ask is what a Get does that found no answer of use.
func (v *Value[T]) Ask(ctx context.Context) { v.ask(ctx) }
