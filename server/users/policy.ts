import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";

/** Names that every screen shows: display name, else username, else e-mail (spec 3). */
export function displayNameOf(person: { displayName: string | null; username: string; email: string }): string {
  return person.displayName || person.username || person.email;
}

/** Nobody may change their own account here: FORBIDDEN. */
export function refuseOneself(actor: Actor, { userId }: { userId: string }): void {
  if (actor.id === userId) throw new DomainError("FORBIDDEN", MESSAGES.users.notOneself);
}
