/** The keys of a command, beside its label; not on touch screens. By CSS, so that the text stays the label. */
export const KeyHint = ({ keys }: { keys: string | undefined }) =>
  keys !== undefined && (
    <kbd
      aria-hidden
      data-keys={keys}
      className="shrink-0 font-sans text-xs text-ink-faint before:content-[attr(data-keys)] coarse:hidden"
    />
  )
