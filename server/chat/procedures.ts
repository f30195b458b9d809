import { MESSAGES } from "../contract/messages";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { activeProcedureCountedAs } from "../core/procedures";
import { type ConversationState, findConversationState } from "./queries";

/** For calls that write messages: a rate limit of their own, stricter than that of other mutations. */
export const messagingProcedure = activeProcedureCountedAs("message");

/** For typing notes: frequent calls that store nothing. */
export const typingProcedure = activeProcedureCountedAs("typing");

/** The conversation if the actor takes part in it, else NOT_FOUND, as for an unknown id. */
export async function ownConversation(
  { db, actor }: Pick<Context, "db"> & { actor: Actor },
  id: string,
): Promise<ConversationState> {
  const state = await findConversationState(db, { id, actor });
  if (!state) throw new DomainError("NOT_FOUND", MESSAGES.chat.notFound);
  return state;
}
