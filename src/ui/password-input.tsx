import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "./icon-button";
import { TextInput } from "./text-input";

type PasswordInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** For one toggle over two inputs: pass `shown` to both and `onShownChange` to the one with the toggle. */
  shown?: boolean | undefined;
  onShownChange?: ((shown: boolean) => void) | undefined;
};

/** A password with the toggle "Show password". An input given `shown` without `onShownChange` has no toggle. */
export function PasswordInput({ shown, onShownChange, ...rest }: PasswordInputProps) {
  const [ownShown, setOwnShown] = useState(false);
  const isShown = shown ?? ownShown;
  const setShown = shown === undefined ? setOwnShown : onShownChange;
  return (
    <TextInput
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      type={isShown ? "text" : "password"}
      end={
        setShown && (
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label="Show password"
            pressed={isShown}
            className="h-9 w-9 pointer-fine:h-8 pointer-fine:w-8"
            onClick={() => setShown(!isShown)}
          />
        )
      }
    />
  );
}
