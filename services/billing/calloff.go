package billing

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/service"
)

// callOffCommand ends an order that waits because what was paid is not what was ordered, and sends its money back.
func callOffCommand() service.Command {
	return service.Command{
		Usage: "ORDER-NUMBER", Arguments: 1,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			number, err := orderNumber(f.Arg(0))
			if err != nil {
				return err
			}
			return withSeller(ctx, environ, func(seller *sales.Service) error {
				o, err := seller.CallOff(ctx, number)
				if err != nil {
					return fmt.Errorf("order S-%d: %w", number, err)
				}
				_, err = fmt.Fprintf(out, "%s is closed, and what was paid for it is on its way back.\n", o.Number())
				return err
			})
		},
	}
}

// orderNumber reads a number as people have it, with or without its letter.
func orderNumber(text string) (int64, error) {
	number, err := strconv.ParseInt(strings.TrimPrefix(text, "S-"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not the number of an order, as S-10023", text)
	}
	return number, nil
}
