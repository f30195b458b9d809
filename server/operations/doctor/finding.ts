/** One line of the doctor: what was looked at, and that it is well or what to do. */
export interface Finding {
  topic: string;
  ok: boolean;
  text: string;
}

export const well = (topic: string, text: string): Finding => ({ topic, ok: true, text });
export const toDo = (topic: string, text: string): Finding => ({ topic, ok: false, text });
