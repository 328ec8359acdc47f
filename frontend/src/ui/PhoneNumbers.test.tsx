import { expect, test } from "vitest";
import { show } from "@/testing/page";
import { PhoneNumbers } from "./PhoneNumbers";

test("the numbers of a text can be called, and the text stays as it is", async () => {
  const { screen } = await show(
    <p>
      <PhoneNumbers>Samaritans answer on 116 123; in an emergency call 999.</PhoneNumbers>
    </p>,
  );
  await expect.element(screen.getByRole("link", { name: "116 123" })).toHaveAttribute("href", "tel:116123");
  await expect.element(screen.getByRole("link", { name: "999" })).toHaveAttribute("href", "tel:999");
  await expect
    .element(screen.getByRole("paragraph"))
    .toHaveTextContent("Samaritans answer on 116 123; in an emergency call 999.");
});
