import { timestampMs } from "@bufbuild/protobuf/wkt";
import { editor as copy } from "@/copy/editor";
import type { Revision } from "@/gen/serein/web/v1/editor_pb";
import { now } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";

/** An act of the trail in words. */

export const actOf = ({ act }: Revision): string => copy.trail.acts[act] ?? act;

/** Who did it: a member by their name, the seed files, else a service by its own. */
export const nameOf = ({ actor, actorName }: Revision): string =>
  actorName || (actor === "seed" ? copy.trail.seed : actor);

export const whenOf = ({ at }: Revision): string => (at ? dayAndTime(timestampMs(at), now()) : "");
