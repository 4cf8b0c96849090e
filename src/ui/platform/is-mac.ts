/** Whether shortcuts are labelled with Apple's modifier keys: Macs, iPhones and iPads. */
export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)
