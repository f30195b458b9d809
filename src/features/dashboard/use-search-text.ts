import { useAddressText } from "@/lib/use-address-text";
import { useBoardNavigation, useBoardWords } from "./use-board";

/** What stands in the search box; 200 ms after the last key it is in the address too. Back and "Clear filters" change both. */
export function useSearchText(): [text: string, setText: (text: string) => void] {
  const { search } = useBoardNavigation();
  return useAddressText(useBoardWords(), search);
}
