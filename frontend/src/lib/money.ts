import { formatNumber } from "./format";

/** An amount as it is charged: minor units, and an ISO 4217 code in lower case. */
export interface Money {
  amount: bigint;
  currency: string;
}

const two = (v: number): string => String(v).padStart(2, "0");

/** "£7.99", "£1,204.00", "−£6.13". The services say the same (services/platform/money). */
export function formatMoney(money: Money | undefined): string {
  const minor = Math.abs(Number(money?.amount ?? 0n));
  const currency = money?.currency ?? "gbp";
  const sign = (money?.amount ?? 0n) < 0n ? "−" : "";
  const symbol = currency === "gbp" ? "£" : `${currency.toUpperCase()} `;
  return `${sign}${symbol}${formatNumber(Math.floor(minor / 100))}.${two(minor % 100)}`;
}

/** So many of it. */
export const times = (money: Money | undefined, n: number): Money => ({
  amount: (money?.amount ?? 0n) * BigInt(n),
  currency: money?.currency ?? "gbp",
});
