import test from 'ava';
import { upgrade } from './upgrades.ts';

test(upgrade, 'last release');
