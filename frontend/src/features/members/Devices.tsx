import { useState } from "react";
import { credentials } from "@/copy/credentials";
import type { UserError } from "@/data/errors";
import { LOST, toUserError } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import { useWrite } from "@/data/mutation";
import type { Device } from "@/gen/serein/web/v1/device_pb";
import { now } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";
import { Button } from "@/ui/Button";
import { ErrorNote, Skeleton } from "@/ui/States";
import { Fact } from "./Band";
import { DeviceIcon } from "./DeviceIcon";
import css from "./Devices.module.css";
import { END_DEVICE, END_OTHER_DEVICES, useDevices } from "./devices";
import { Outcome } from "./Outcome";
import { msOf } from "./plan";

const words = credentials.devices;

const usedAt = ({ place, usedAt: at, current }: Device): string =>
  words.used(place, current ? words.now : dayAndTime(msOf(at), now()));

interface OneProps {
  device: Device;
  pending: boolean;
  onEnd: () => void;
}

/** A device, and the way to sign out there; of this one that is the button above. */
function One({ device, pending, onEnd }: OneProps) {
  const end = (
    <Button small aria-label={words.endOf(device.name)} pending={pending} onClick={onEnd}>
      {words.end}
    </Button>
  );
  return (
    <Fact
      icon={<DeviceIcon kind={device.kind} />}
      label={device.name}
      text={usedAt(device)}
      action={device.current ? <span className={css.current}>{words.current}</span> : end}
    />
  );
}

const failure = ({ code, message }: UserError): string =>
  LOST.has(code) ? lostWords(words.lost) : words.failed(message);

/** Every browser that the member is signed in with, this one first. */
export function Devices() {
  const { data, error, refetch } = useDevices();
  const one = useWrite(END_DEVICE);
  const others = useWrite(END_OTHER_DEVICES);
  const [outcome, setOutcome] = useState("");
  const [ending, setEnding] = useState("");
  if (!data && error)
    return (
      <ErrorNote message={`${words.away} ${toUserError(error).message}`} onRetry={() => void refetch()} />
    );
  if (!data) return <Skeleton height="144px" />;
  const end = async ({ id, name }: Device) => {
    others.forget();
    setOutcome("");
    setEnding(id);
    const { answer } = await one.send({ id });
    if (answer) setOutcome(words.ended(name));
  };
  const endOthers = async () => {
    one.forget();
    setOutcome("");
    const { answer } = await others.send({});
    if (answer) setOutcome(words.othersEnded);
  };
  const trouble = one.trouble ?? others.trouble;
  return (
    <>
      {data.devices.map((device) => (
        <One
          key={device.id}
          device={device}
          pending={one.pending && ending === device.id}
          onEnd={() => void end(device)}
        />
      ))}
      {trouble ? <ErrorNote message={failure(trouble)} /> : null}
      {/* The button that was pressed goes with its device: the focus comes to what is said. */}
      <Outcome text={outcome} focus />
      {data.devices.some(({ current }) => !current) ? (
        <p className={css.others}>
          <Button look="danger" small pending={others.pending} onClick={() => void endOthers()}>
            {words.endOthers}
          </Button>
        </p>
      ) : null}
    </>
  );
}
