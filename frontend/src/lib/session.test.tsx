import { hydrateRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { createSession, SessionContext, useMember } from "./session";

test("markup is taken over for a visitor without rendering it a second time, whatever else the session holds", async () => {
  const at = document.createElement("div");
  at.innerHTML = "<p>Nobody</p>";
  document.body.append(at);
  const session = createSession({
    member: null,
    serverTime: Date.now(),
    trialOffer: { days: 3, invitedDays: 5, credits: 2 },
  });
  let renders = 0;
  const Who = () => {
    renders++;
    return <p>{useMember()?.givenName ?? "Nobody"}</p>;
  };
  const root = hydrateRoot(
    at,
    <SessionContext value={session}>
      <Who />
    </SessionContext>,
  );
  await expect.poll(() => renders).toBe(1);
  // Only what follows comes in a later turn.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  expect(renders).toBe(1);
  root.unmount();
  at.remove();
});
