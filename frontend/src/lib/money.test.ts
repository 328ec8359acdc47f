import { expect, test } from "vitest";
import { formatMoney, times } from "./money";

const gbp = (amount: bigint) => ({ amount, currency: "gbp" });

test("amounts are minor units, shown with two decimals and their currency", () => {
  expect(formatMoney(gbp(799n))).toBe("£7.99");
  expect(formatMoney(gbp(5n))).toBe("£0.05");
  expect(formatMoney(gbp(2800n))).toBe("£28.00");
  expect(formatMoney(gbp(120_400n))).toBe("£1,204.00");
  expect(formatMoney(gbp(-613n))).toBe("−£6.13");
  expect(formatMoney({ amount: 799n, currency: "eur" })).toBe("EUR 7.99");
});

test("several cost as many times the price of one", () => {
  expect(formatMoney(times(gbp(1200n), 2))).toBe("£24.00");
});
