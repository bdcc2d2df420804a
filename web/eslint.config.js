// Rules for the page: those of eslint and typescript-eslint that find errors, with types.
import js from '@eslint/js';
import ts from 'typescript-eslint';

export default ts.config(
  {ignores: ['dist/', 'node_modules/', 'tests/', 'vite.config.ts', 'eslint.config.js']},
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  {
    languageOptions: {parserOptions: {projectService: true, tsconfigRootDir: import.meta.dirname}},
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': ['error', {ignoreReadBeforeAssign: true}],
      '@typescript-eslint/require-await': 'off', // methods of an interface whose other implementation waits
      '@typescript-eslint/no-unused-vars': ['error', {argsIgnorePattern: '^_'}],
    },
  },
);
