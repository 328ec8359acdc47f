import { useQuery } from "@connectrpc/connect-query";
import type { Data } from "@/lib/app";
import { defineWrite, showPart } from "@/data/mutation";
import type { GetSecondStepResponse } from "@/gen/serein/web/v1/second_step_pb";
import { SecondStepService } from "@/gen/serein/web/v1/second_step_pb";

/** Whether a code is asked for beside the member's password, and every change of it. */

const { method } = SecondStepService;

export const useSecondStep = () => useQuery(method.getSecondStep, {});

const invalidates = [method.getSecondStep];

/** Shows how it stands now. */
const applied = (data: Data, { secondStep }: Pick<GetSecondStepResponse, "secondStep">) =>
  showPart(data, method.getSecondStep, { secondStep });

export const BEGIN_SECOND_STEP = defineWrite({ method: method.beginSecondStep });
export const FINISH_SECOND_STEP = defineWrite({ method: method.finishSecondStep, invalidates, applied });
export const NEW_RECOVERY_CODES = defineWrite({ method: method.newRecoveryCodes, invalidates, applied });
export const REMOVE_SECOND_STEP = defineWrite({ method: method.removeSecondStep, invalidates, applied });
