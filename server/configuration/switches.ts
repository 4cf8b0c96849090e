// Settings that are on or off.
import { StartError } from '../errors/start-error.ts'

/**
 * Whether the setting is on: `1` or `0`; `otherwise` when it is missing or empty. Throws StartError for
 * anything else: read as off or on, a value such as `false` or `yes` would surprise someone.
 */
export function readSwitch(
  env: Record<string, string | undefined>,
  name: string,
  otherwise = false,
): boolean {
  const text = env[name] || (otherwise ? '1' : '0')
  if (text !== '0' && text !== '1')
    throw new StartError(`${name} must be 1 (on) or 0 (off), not "${text}".`)
  return text === '1'
}
