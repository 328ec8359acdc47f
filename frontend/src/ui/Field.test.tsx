import { expect, test } from "vitest";
import { axeFaults, show } from "@/testing/page";
import { Field, FieldRow, Select } from "./Field";

test("a field says its name, that it is needed, what is asked and what is wrong", async () => {
  const { screen } = await show(
    <main>
      <Field label="Username" required hint="3 to 32 letters." error="Please choose a username." />
      <Select label="Country" defaultValue="GB">
        <option value="GB">United Kingdom</option>
      </Select>
    </main>,
  );
  const input = screen.getByRole("textbox", { name: "Username" });
  await expect.element(input).toBeRequired();
  await expect.element(input).toBeInvalid();
  await expect.element(input).toHaveAccessibleDescription("Please choose a username. 3 to 32 letters.");
  await expect.element(screen.getByRole("combobox", { name: "Country" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("two fields side by side stand level, whatever is said below them", async () => {
  const { screen } = await show(
    <div style={{ width: 440 }}>
      <FieldRow>
        <Field label="First Name" error="Please enter your first name." />
        <Field label="Family Name" error="Please enter your family name, with all of its words." />
      </FieldRow>
    </div>,
  );
  const [first, family] = ["First Name", "Family Name"].map((name) =>
    screen.getByRole("textbox", { name }).element().getBoundingClientRect(),
  );
  expect(first?.top).toBe(family?.top);
  expect(first?.height).toBe(family?.height);
});
