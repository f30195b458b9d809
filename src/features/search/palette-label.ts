/* Apart from the button that fetches the palette, which shows them too: together they would be a circle. */

/** The name of the palette, wherever it is offered. */
export const PALETTE_LABEL = "Search or jump to...";
export const PALETTE_SHORTCUT = "mod+k";
