/** What an archive holds at most. More would block a device, or was made to. */
export const LIMITS = {
  archiveBytes: 25_000_000,
  unpackedBytes: 100_000_000,
  lines: 50_000,
  /** In all lists in its records, such as contacts, tags and renewals. */
  elements: 500_000,
}

/** Whether an archive of that size can be imported. What is not known yet is left out. */
export const isWithinLimits = (size: Partial<typeof LIMITS>): boolean =>
  (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).every((of) => (size[of] ?? 0) <= LIMITS[of])

/** The elements of all lists in a record. */
export const elementsIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>(
        (sum, one) => sum + elementsIn(one),
        Array.isArray(value) ? value.length : 0,
      )
    : 0
