// How many devices run which version of the app, by what they send with their calls. Only counts leave this module.

/** As the app writes it (Semantic Versioning). */
const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?$/
const DAY_MS = 86_400_000
/** Versions beyond these are counted together, because a caller can put anything in the header. */
const MAX_VERSIONS = 20
const OTHER = 'other'
/** Devices beyond these are not counted. */
const MAX_DEVICES = 100_000

/** By session: the version it sent last, and when. In the order of the last call. */
const seen = new Map<string, { version: string; atMs: number }>()

/** Notes what a device sent. `family_id` is its session, `atMs` a time that is never set back. */
export function noteAppVersion(family_id: string, version: string, atMs: number): void {
  if (!VERSION.test(version)) return
  seen.delete(family_id)
  if (seen.size < MAX_DEVICES) seen.set(family_id, { version, atMs })
}

/** How many devices sent each version to this process within a day of `nowMs`. */
export function countAppVersions(nowMs: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [family_id, { version, atMs }] of seen) {
    if (nowMs - atMs >= DAY_MS) {
      seen.delete(family_id)
      continue
    }
    const label = counts.has(version) || counts.size < MAX_VERSIONS ? version : OTHER
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return counts
}
