/** The version of the management API (specification section 9). The package has its own. */
export const apiVersion = '1.0.0';
