package dashboards

import "github.com/grafana/grafana-foundation-sdk/go/units"

// money has credits, orders, memberships and the payment provider.
func money() Board {
	return Board{"money", "Serein: money", []Row{
		{"Credits and memberships", []Panel{
			hourly("Credits that moved in an hour", "", "serein_billing_credits_total", "change"),
			hourly("Cancellations in an hour", "By the reason that the member gave.", "serein_billing_cancellations_total", "reason"),
			gauge("Memberships overdue", units.Seconds, "How long the renewal or end that has waited longest is overdue.", "serein_billing_subscriptions_overdue_seconds", "job"),
		}},
		{"Orders", []Panel{
			gauge("Orders that wait", units.Short, "", "serein_billing_orders_waiting", "job"),
			gauge("The oldest order that waits", units.Seconds, "Above two hours reading back does not work.", "serein_billing_orders_waiting_oldest_seconds", "job"),
			gauge("Prices that differ", units.Short, "Items that cannot be bought.", "serein_billing_prices_mismatched", "job"),
		}},
		{"Payment provider", []Panel{
			rate("Calls that fail", "", "serein_billing_provider_failures_total", "kind"),
			hourly("Webhooks refused in an hour", "", "serein_billing_webhooks_refused_total", "reason"),
			hourly("Webhooks that never came, in an hour", "Changes that billing found by reading them back.", "serein_billing_webhooks_lost_total", "found"),
		}},
		{"Holds and the ledger", []Panel{
			gauge("Open holds", units.Short, "", "serein_billing_holds_open", "job"),
			gauge("The oldest hold", units.Seconds, "", "serein_billing_holds_oldest_seconds", "job"),
			hourly("Batches that waited for a member's row, in an hour", "", "serein_billing_lock_waits_total", "job"),
		}},
	}}
}
