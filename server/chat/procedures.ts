import { MESSAGES } from "../contract/messages";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { activeProcedureCountedAs } from "../core/procedures";
import { type ConversationState, findConversationState } from "./queries";

/** For what writes messages: counted by a rule of its own, stricter than that for all else that writes. */
export const messagingProcedure = activeProcedureCountedAs("message");

/** For telling that one types: often, and nothing that is stored. */
export const typingProcedure = activeProcedureCountedAs("typing");

/** Gate 5: the conversation, if the caller takes part in it; else NOT_FOUND, as for an id that does not exist. */
export async function ownConversation(
  { db, actor }: Pick<Context, "db"> & { actor: Actor },
  id: string,
): Promise<ConversationState> {
  const state = await findConversationState(db, { id, actor });
  if (!state) throw new DomainError("NOT_FOUND", MESSAGES.chat.notFound);
  return state;
}
