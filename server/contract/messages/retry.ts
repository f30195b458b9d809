/**
 * When to try again, in words: "Try again in 12 minutes." Never earlier than it is worth it. For refusals that pass by
 * themselves; made by the server, so that every way in says the same.
 */
export function retrySentence(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds <= 1) return "Try again in a second.";
  if (seconds < 60) return `Try again in ${Math.ceil(seconds)} seconds.`;
  if (minutes === 1) return "Try again in a minute.";
  if (minutes < 55) return `Try again in ${minutes} minutes.`;
  if (minutes <= 60) return "Try again in about an hour.";
  return `Try again in about ${Math.ceil(minutes / 60)} hours.`;
}
