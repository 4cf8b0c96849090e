/** The look of what one types into. */
export const BOX =
  'w-full rounded-md border border-edge bg-raised text-base text-ink transition-colors hover:border-ink-muted sm:text-sm aria-invalid:border-danger-strong aria-invalid:bg-danger/30 disabled:bg-sunken disabled:text-ink-faint'
/** The same in one line. */
export const LINE = `${BOX} min-h-10 px-3 coarse:min-h-11`
