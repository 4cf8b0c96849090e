/** What an archive holds at most. More would block a device, or was made to. */
export const LIMITS = { archiveBytes: 25_000_000, unpackedBytes: 100_000_000, lines: 50_000 }

/** Whether an archive of that size can be imported. What is not known yet is left out. */
export const isWithinLimits = (size: Partial<typeof LIMITS>): boolean =>
  (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).every((of) => (size[of] ?? 0) <= LIMITS[of])
