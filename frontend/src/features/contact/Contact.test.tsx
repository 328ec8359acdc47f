import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { contact as copy } from "@/copy/contact";
import type { SendMessageRequest } from "@/gen/serein/web/v1/contact_pb";
import { ContactService } from "@/gen/serein/web/v1/contact_pb";
import { NEUTRAL_PAGE } from "@/lib/leave";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { axeFaults, show } from "@/testing/page";
import { Contact } from "./Contact";

type Answer = (request: SendMessageRequest) => object | Promise<object>;

const open = (answer: Answer = () => ({}), visitor = true, path = "/contact") =>
  show(<Contact />, {
    path,
    ...(visitor && { member: null }),
    gateway: ({ rpc }) => rpc(ContactService.method.sendMessage, answer),
  });

type Screen = Awaited<ReturnType<typeof open>>["screen"];
const field = (screen: Screen, name: string | RegExp) => screen.getByRole("textbox", { name });
const button = (screen: Screen, name: string) => screen.getByRole("button", { name });

async function write(screen: Screen) {
  await field(screen, "Full Name").fill("Amara Lindqvist");
  await field(screen, "Email Address").fill("amara@lakehouse.example");
  await field(screen, "Your Message").fill("May I keep the same words?");
}

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

test("the fields have the specified names, and the button waits for those that are needed", async () => {
  const { screen } = await open();
  for (const name of ["Full Name", "Email Address", "Your Message"])
    await expect.element(field(screen, name)).toBeRequired();
  await expect.element(field(screen, "Phone Number (optional)")).not.toBeRequired();
  await expect.element(field(screen, "Your Message")).toHaveAttribute("rows", "5");
  await expect.element(button(screen, "SEND MESSAGE")).toHaveAttribute("aria-disabled", "true");
  await write(screen);
  await expect.element(button(screen, "SEND MESSAGE")).not.toHaveAttribute("aria-disabled");
  await field(screen, "Your Message").fill("  ");
  await expect.element(button(screen, "SEND MESSAGE")).toHaveAttribute("aria-disabled", "true");
  expect(await axeFaults()).toEqual([]);
});

test("beside the helplines stands the quick way out", async () => {
  const { screen } = await open();
  await expect.element(screen.getByText(/Samaritans answer free/)).toBeVisible();
  const out = screen.getByRole("link", { name: "Leave this page now" });
  await expect.element(out).toHaveAttribute("href", NEUTRAL_PAGE);
  await expect.element(out).toHaveAccessibleDescription(/Back does not return here/);
});

test("a letter goes once, however often it is pressed, and its fields are cleared", async () => {
  const sent: SendMessageRequest[] = [];
  const answer = gate();
  const { screen } = await open(async (request) => {
    sent.push(request);
    await answer.passed;
    return {};
  });
  await write(screen);
  await button(screen, "SEND MESSAGE").click();
  const sending = button(screen, "SENDING MESSAGE");
  await expect.element(sending).toHaveAttribute("aria-disabled", "true");
  await sending.click({ force: true });
  await sending.click({ force: true });
  answer.open();
  await expect.element(button(screen, "THANKYOU FOR YOUR MESSAGE")).toHaveAttribute("aria-disabled", "true");
  await expect
    .element(screen.getByRole("status"))
    .toHaveTextContent(copy.sentNote("amara@lakehouse.example"));
  for (const name of ["Full Name", "Phone Number (optional)", "Email Address", "Your Message"])
    await expect.element(field(screen, name)).toHaveValue("");
  await button(screen, "THANKYOU FOR YOUR MESSAGE").click({ force: true });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ name: "Amara Lindqvist", message: "May I keep the same words?" });
  expect(await axeFaults()).toEqual([]);
  await field(screen, "Full Name").fill("A");
  await expect.element(button(screen, "SEND MESSAGE")).toBeVisible();
});

test("words stay through a send that fails and a reload, and go out under the same key", async () => {
  const keys: string[] = [];
  let away = true;
  const answer: Answer = ({ idempotencyKey }) => {
    keys.push(idempotencyKey);
    if (away) throw new ConnectError("no route", Code.ResourceExhausted);
    return {};
  };
  const first = await open(answer);
  await write(first.screen);
  await button(first.screen, "SEND MESSAGE").click();
  await expect.element(first.screen.getByRole("alert")).toHaveTextContent(copy.failed);
  expect(await axeFaults()).toEqual([]);
  await first.screen.unmount();
  away = false;
  const { screen } = await open(answer);
  await expect.element(field(screen, "Your Message")).toHaveValue("May I keep the same words?");
  await button(screen, "SEND MESSAGE").click();
  await expect.element(button(screen, "THANKYOU FOR YOUR MESSAGE")).toBeVisible();
  expect(new Set(keys).size).toBe(1);
});

test("changed words are another letter", async () => {
  const keys: string[] = [];
  const { screen } = await open(({ idempotencyKey }) => {
    keys.push(idempotencyKey);
    throw new ConnectError("no", Code.ResourceExhausted);
  });
  await write(screen);
  await button(screen, "SEND MESSAGE").click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  await field(screen, "Your Message").fill("Something else");
  await button(screen, "SEND MESSAGE").click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  expect(new Set(keys).size).toBe(2);
});

test("without a connection the letter is kept, and says so", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { screen } = await open(() => {
    throw new ConnectError("Failed to fetch", Code.Internal);
  });
  await write(screen);
  await button(screen, "SEND MESSAGE").click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent(copy.offline);
});

test("who writes too often hears when to come back", async () => {
  const { screen } = await open(() => {
    throw failure(Code.ResourceExhausted, "Please wait 6 minutes.", "TOO_MANY_REQUESTS", "");
  });
  await write(screen);
  await button(screen, "SEND MESSAGE").click();
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent("Please wait 6 minutes. Your message is still here.");
});

test("an address that cannot be answered is said at its field, by the form and by the server", async () => {
  const { screen } = await open(() => {
    throw failure(
      Code.InvalidArgument,
      "That doesn’t look like an email address.",
      "ADDRESS_INVALID",
      "email",
    );
  });
  await write(screen);
  await field(screen, "Email Address").fill("amara@lakehouse");
  await button(screen, "SEND MESSAGE").click();
  await expect.element(field(screen, "Email Address")).toHaveAccessibleDescription(copy.emailShape);
  await field(screen, "Email Address").fill("amara@lakehouse.example");
  await button(screen, "SEND MESSAGE").click();
  await expect
    .element(field(screen, "Email Address"))
    .toHaveAccessibleDescription("That doesn’t look like an email address.");
  await expect.element(field(screen, "Email Address")).toHaveFocus();
  await expect.element(field(screen, "Your Message")).toHaveValue("May I keep the same words?");
});

test("a member's name and address are filled in", async () => {
  const { screen } = await open(undefined, false);
  await expect.element(field(screen, "Full Name")).toHaveValue("Amara Lindqvist");
  await expect.element(field(screen, "Email Address")).toHaveValue("amara@lakehouse.example");
});

test("a letter goes from the form when its member signs out, with their name, and stays where their session ends", async () => {
  const { screen, session, data } = await open(undefined, false);
  const amara = session.get();
  await field(screen, "Your Message").fill("May I keep the same words?");
  session.becomeVisitor();
  session.set(amara);
  await expect.element(field(screen, "Your Message")).toHaveValue("May I keep the same words?");
  data.forget();
  session.becomeVisitor();
  for (const name of ["Full Name", "Email Address", "Your Message"])
    await expect.element(field(screen, name)).toHaveValue("");
});

test("a letter about a plan begins with its name, before what was written already", async () => {
  const { screen } = await open(undefined, true, "/contact?plan=Bespoke%20Journey");
  await expect
    .element(field(screen, "Your Message"))
    .toHaveValue("I’d like to know more about Bespoke Journey.");
  await field(screen, "Your Message").fill("May I keep the same words?");
  await screen.unmount();
  const again = await open(undefined, true, "/contact?plan=Bespoke%20Journey");
  await expect
    .element(field(again.screen, "Your Message"))
    .toHaveValue("I’d like to know more about Bespoke Journey.\n\nMay I keep the same words?");
});

test("an address puts no words into a letter that are no plan's name", async () => {
  const path = `/contact?plan=${encodeURIComponent("Premium. Write to us at http://example.com")}`;
  const { screen } = await open(undefined, true, path);
  await expect.element(field(screen, "Your Message")).toHaveValue("");
});
