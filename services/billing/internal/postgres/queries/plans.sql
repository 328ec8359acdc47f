-- name: Plans :many
-- The whole catalogue in the order of its cards.
SELECT
    p.id, p.name, p.kind, p.sort_order, p.badge, p.description, p.features, p.entitlements,
    p.trial_days, p.invited_trial_days, p.trial_credits,
    m.amount AS monthly_amount, m.currency AS monthly_currency, m.credits AS monthly_credits,
    y.amount AS yearly_amount, y.currency AS yearly_currency, y.credits AS yearly_credits
FROM plans p
LEFT JOIN plan_prices m ON m.plan_id = p.id AND m.period = 'month'
LEFT JOIN plan_prices y ON y.plan_id = p.id AND y.period = 'year'
WHERE p.listed
ORDER BY p.sort_order, p.id;

-- name: TrialPlan :one
-- There is exactly one (plans_one_trial, plans_have_a_trial).
SELECT id, name, trial_days, invited_trial_days, trial_credits FROM plans WHERE kind = 'trial';

-- name: ClaimTrial :execrows
-- Of several members of one mailbox at once, one claims it: the others wait here for its transaction.
INSERT INTO trials (mailbox_key, started_at) VALUES ($1, $2) ON CONFLICT (mailbox_key) DO NOTHING;

-- name: TrialOfMailbox :one
SELECT started_at FROM trials WHERE mailbox_key = $1;
