import { useForm } from "react-hook-form";
import { expect, test, vi } from "vitest";
import { show } from "@/testing/page";
import { Field } from "../Field";
import { takeFilled } from "./filled";

const sent = vi.fn<(answers: unknown) => void>();

function Page() {
  const { register, handleSubmit } = useForm({ defaultValues: { name: "", email: "" } });
  return (
    <form
      onSubmit={(event) => {
        takeFilled(event);
        void handleSubmit(sent)(event);
      }}
    >
      <Field label="Name" {...register("name", { required: true })} />
      <Field label="Email" {...register("email", { required: true })} />
      <button type="submit">Send</button>
    </form>
  );
}

test("what a password manager fills in without an event is sent", async () => {
  const { screen } = await show(<Page />);
  await screen.getByLabelText("Name").fill("Amara");
  // As a browser writes it: past the setter by which React would notice.
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  native?.set?.call(screen.getByLabelText("Email").element(), "amara@example.org");
  await screen.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => sent.mock.calls[0]?.[0]).toEqual({ name: "Amara", email: "amara@example.org" });
});
