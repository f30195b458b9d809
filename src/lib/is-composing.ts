import type { KeyboardEvent } from "react";

/**
 * Whether the key belongs to an input method, such as the Enter that takes a word over. 229: Safari ends the composition before it
 * fires that key.
 */
export function isComposing({ nativeEvent, keyCode }: Pick<KeyboardEvent, "nativeEvent" | "keyCode">): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}
