// The network behind an address: what one customer of a provider can choose addresses from.
import { isIPv4, isIPv6 } from 'node:net'

/** Without the port that some proxies append, brackets, and the zone of a link-local address. */
const bareAddress = (address: string) =>
  (/^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1')).replace(
    /%.*$/,
    '',
  )

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  // The URL parser brings every notation, also one with an IPv4 address in it, into one form.
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const parse = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => parseInt(group, 16))
  if (tail === undefined) return parse(head)
  const [first, last] = [parse(head), parse(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

const isMappedIpv4 = ([a, b, c, d, e, f]: number[]) => !a && !b && !c && !d && !e && f === 0xffff

const mappedIpv4 = ([, , , , , , high = 0, low = 0]: number[]) =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** An IPv4 address as it is, the /64 of an IPv6 address, or `unknown`. */
export function networkOf(address: string): string {
  const bare = bareAddress(address.trim())
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return 'unknown'
  const groups = groupsOf(bare)
  if (isMappedIpv4(groups)) return mappedIpv4(groups)
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** A network that names no household, for display: `203.0.113.x`, or the /48 of an IPv6 address. */
export function shortNetwork(network: string): string | null {
  if (isIPv4(network)) return network.replace(/\d+$/, 'x')
  const [prefix] = /^(?:[\da-f]+:){3}/.exec(network) ?? []
  return prefix === undefined ? null : `${prefix}:/48`
}
